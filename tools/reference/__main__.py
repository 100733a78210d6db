"""Writes the reference pages and the README's figures: `python -m tools.reference`."""

from tools.reference import figures
from tools.reference.pages import FOLDER, pages

for name, text in pages().items():
    (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"==> docs/reference/{name}")
readme = figures.README.read_text(encoding="utf-8")
figures.README.write_text(figures.filled(readme, figures.newest()), encoding="utf-8")
print("==> README.md")
