"""Languages that are a file of patterns."""

import pytest

from memweaver.adapters.rules import open_rules
from memweaver.domain.candidate import Scene, Wish
from memweaver.testing.conformance.extractor import everything, said

TOLD = [
    ("italian", "Mi chiamo Anna.", ["L'utente si chiama Anna."]),
    ("italian", "Vivo a Torino.", ["L'utente vive a Torino."]),
    ("italian", "Non mi piace il coriandolo.", ["L'utente non ama il coriandolo."]),
    ("spanish", "Me llamo Ana.", ["El usuario se llama Ana."]),
    ("spanish", "Vivo en Quito.", ["El usuario vive en Quito."]),
    ("french", "J'habite à Lyon.", ["L'utilisateur vit à Lyon."]),
    ("french", "Je n'aime pas le café.", ["L'utilisateur n'aime pas le café."]),
    ("german", "Ich wohne in Bern.", ["Der Nutzer wohnt in Bern."]),
    ("german", "Ich bin allergisch gegen Nüsse.", ["Der Nutzer ist allergisch gegen Nüsse."]),
    ("german", "Wo wohne ich?", []),
    ("french", "Si j'habite à Lyon, je serai content.", []),
    ("spanish", "Qué tiempo hace hoy.", []),
    ("italian", "Sono d'accordo.", []),
]


@pytest.mark.parametrize(("language", "sentence", "texts"), TOLD, ids=[t[1] for t in TOLD])
async def test_a_language_is_a_data_file(language: str, sentence: str, texts: list[str]) -> None:
    async with open_rules(language) as extractor:
        found = await everything(extractor, Scene((said(sentence),)))

    assert [one.text for one in found] == texts


async def test_what_no_longer_holds_is_told_in_other_languages_too() -> None:
    async with open_rules("german") as extractor:
        [one] = await everything(extractor, Scene((said("Ich rauche nicht mehr."),)))

    assert (one.text, one.wish) == ("Der Nutzer raucht.", Wish.NEGATE)
