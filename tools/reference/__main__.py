"""Writes the reference pages: `python -m tools.reference`."""

from tools.reference.pages import FOLDER, pages

for name, text in pages().items():
    (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"==> {name}")
