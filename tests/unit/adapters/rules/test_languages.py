"""Languages that are a file of patterns."""

import pytest

from memweaver.adapters.rules import open_rules
from memweaver.domain.candidate import Candidate, Scene, Wish
from memweaver.domain.memory import Tier
from memweaver.testing.conformance.extractor import everything, said

TOLD = [
    ("italian", "Mi chiamo Anna.", ["L'utente si chiama Anna."]),
    ("italian", "Vivo in Italia da tre anni.", ["L'utente vive in Italia."]),
    ("italian", "Lavoro alla Fiat.", ["L'utente lavora alla Fiat."]),
    ("italian", "Non mi piace il coriandolo.", ["L'utente non ama il coriandolo."]),
    ("italian", "Odio i funghi.", ["L'utente non ama i funghi."]),
    (
        "italian",
        "Mi piacciono i cani, i gatti e nuotare.",
        ["L'utente ama i cani, i gatti e nuotare."],
    ),
    ("italian", "Ho due gatti.", ["L'utente ha due gatti."]),
    ("italian", "Ho un gatto che si chiama Micio.", ["L'utente ha un gatto che si chiama Micio."]),
    ("italian", "Ho due gatti e dormo poco.", ["L'utente ha due gatti."]),
    ("italian", "Sono allergica all'aspirina.", ["L'utente è allergica all'aspirina."]),
    ("italian", "Non mangio carne.", ["L'utente non mangia carne."]),
    ("italian", 'Leggo "Dune" e vivo a Roma, non in "It".', ["L'utente vive a Roma."]),
    ("italian", "No, vivo a Milano.", ["L'utente vive a Milano."]),
    ("spanish", "Me llamo Ana.", ["El usuario se llama Ana."]),
    ("spanish", "Vivo en Quito.", ["El usuario vive en Quito."]),
    ("spanish", "Me gusta el café.", ["El usuario disfruta del café."]),
    ("spanish", "Odio los lunes.", ["El usuario no disfruta de los lunes."]),
    ("spanish", "Tengo dos gatos y un perro.", ["El usuario tiene dos gatos y un perro."]),
    ("spanish", "Tengo 30 años.", ["El usuario tiene 30 años."]),
    ("french", "J'habite à Lyon.", ["L'utilisateur vit à Lyon."]),
    ("french", "Je n'aime pas le café.", ["L'utilisateur n'aime pas le café."]),
    ("french", "Je déteste les champignons.", ["L'utilisateur n'aime pas les champignons."]),
    ("french", "J'ai deux chats.", ["L'utilisateur a deux chats."]),
    ("german", "Ich wohne in Bern.", ["Der Nutzer wohnt in Bern."]),
    ("german", "Ich bin allergisch gegen Nüsse.", ["Der Nutzer ist allergisch gegen Nüsse."]),
    ("german", "Ich hasse Zwiebeln.", ["Der Nutzer mag Zwiebeln nicht."]),
    ("german", "Ich mag keine Oliven.", ["Der Nutzer mag keine Oliven."]),
    ("german", "Ich habe zwei Katzen.", ["Der Nutzer hat zwei Katzen."]),
]
TOGETHER = [
    (
        "italian",
        "Mi chiamo Giulia e vivo a Torino.",
        ["L'utente si chiama Giulia.", "L'utente vive a Torino."],
    ),
    (
        "spanish",
        "Hola, me llamo Ana, vivo en Quito y trabajo para Acme.",
        ["El usuario se llama Ana.", "El usuario vive en Quito.", "El usuario trabaja para Acme."],
    ),
    (
        "french",
        "Je m'appelle Luc et j'habite à Lyon.",
        ["L'utilisateur s'appelle Luc.", "L'utilisateur vit à Lyon."],
    ),
    (
        "german",
        "Ich heiße Anna und wohne in Bern.",
        ["Der Nutzer heißt Anna.", "Der Nutzer wohnt in Bern."],
    ),
]
REMEMBERED = [
    (
        "italian",
        "Ricorda che sono allergico alle noci.",
        ["L'utente è allergico alle noci."],
    ),
    (
        "italian",
        "Ricorda che vivo a Roma e dormo poco.",
        ["L'utente vuole ricordare: vivo a Roma e dormo poco."],
    ),
    ("italian", "Ricorda che vivo a Roma, ok?", ["L'utente vive a Roma."]),
    ("italian", "Puoi ricordare che vivo a Roma?", ["L'utente vive a Roma."]),
    (
        "spanish",
        "Recuerda que me llamo Ana y vivo en Quito.",
        ["El usuario se llama Ana.", "El usuario vive en Quito."],
    ),
    (
        "spanish",
        "Recuerda que el código es 4711.",
        ["El usuario quiere recordar: el código es 4711."],
    ),
    ("spanish", "Recuerda que vivo en Madrid, ¿vale?", ["El usuario vive en Madrid."]),
    ("french", "Souviens-toi que j'ai deux chats.", ["L'utilisateur a deux chats."]),
    (
        "french",
        "N'oublie pas que le train part tôt.",
        ["L'utilisateur veut retenir: le train part tôt."],
    ),
    ("french", "Oublie pas que j'habite à Lyon.", ["L'utilisateur vit à Lyon."]),
    (
        "german",
        "Merk dir, dass ich gegen Nüsse allergisch bin.",
        ["Der Nutzer ist allergisch gegen Nüsse."],
    ),
    (
        "german",
        "Merk dir, dass der Zug früh fährt.",
        ["Der Nutzer möchte sich merken: dass der Zug früh fährt."],
    ),
    ("german", "Vergiss bitte nicht, dass ich in Bern wohne.", ["Der Nutzer wohnt in Bern."]),
]
NOTHING = [
    ("italian", "Non vivo a Roma."),
    ("italian", "Non lavoro per la Fiat."),
    ("italian", "Non sono allergico alle noci."),
    ("italian", "Non mi chiamo Giulia."),
    ("italian", "Non odio i gatti."),
    ("italian", "Non ho due gatti."),
    ("italian", "Mia sorella non si chiama Anna."),
    ("italian", "Ricorda che vivo a Roma?"),
    ("italian", "Forse vivo a Roma."),
    ("italian", "Vivo a Roma?"),
    ("italian", "Se vivo a Roma, sono felice."),
    ("italian", "Vivo a Roma, dice Marco."),
    ("italian", "Marco dice che vivo a Roma e lavoro per la Fiat."),
    ("italian", "Non è vero che vivo a Roma e lavoro per la Fiat."),
    ("italian", "Traduci: mi chiamo Luca e vivo a Roma."),
    ("italian", "Marco scrive: «Vivo a Roma. Lavoro per la Fiat.»"),
    ("italian", "Ho un problema con il computer."),
    ("italian", "Amo mia moglie."),
    ("italian", "Mi piace molto!"),
    ("italian", "Sono d'accordo."),
    ("spanish", "No vivo en Sevilla."),
    ("spanish", "No trabajo en IBM."),
    ("spanish", "No soy alérgico a las nueces."),
    ("spanish", "No me llamo Pablo."),
    ("spanish", "Mi hermana no se llama Marta."),
    ("spanish", "Mi amigo dice que vivo en las nubes."),
    ("spanish", "Mi amigo dice que vivo en Sevilla y me llamo Pablo."),
    ("spanish", "No sé si vivo en Madrid."),
    ("spanish", 'Mi jefe dijo: "Vivo en Madrid. Trabajo en IBM."'),
    ("spanish", "Tengo una pregunta."),
    ("spanish", "Qué tiempo hace hoy."),
    ("french", "Je n'habite pas à Lyon."),
    ("french", "Je ne suis pas allergique aux noix."),
    ("french", "Je ne m'appelle pas Luc."),
    ("french", "Ma sœur ne s'appelle pas Marie."),
    ("french", "Selon Marie, j'habite à Lyon."),
    ("french", "Marie dit que j'habite à Lyon et que je travaille chez Airbus."),
    ("french", "Si j'habite à Lyon, je serai content."),
    ("french", "J'ai vu deux chats."),
    ("german", "Ich wohne nicht in Berlin."),
    ("german", "Ich bin nicht allergisch gegen Nüsse."),
    ("german", "Ich heiße nicht Anna."),
    ("german", "Meine Schwester heißt nicht Marie."),
    ("german", "Meine Schwester ist Lehrerin."),
    ("german", "Marco sagt, ich wohne in Berlin."),
    ("german", "Ich weiß nicht, ob ich in Berlin wohne."),
    ("german", "Er sagte: „Ich heiße Tom. Ich wohne in Bern.“"),
    ("german", "Ich habe zwei Katzen gesehen."),
    ("german", "Wo wohne ich?"),
]
ENDED = [
    ("italian", "Non vivo più a Roma.", "L'utente vive a Roma."),
    ("italian", "Non mangio più carne.", "L'utente mangia carne."),
    ("italian", "Non lavoro più per la Fiat.", "L'utente lavora per la Fiat."),
    ("italian", "Non mi piace più il caffè.", "L'utente ama il caffè."),
    ("italian", "Non ho più la macchina.", "L'utente ha la macchina."),
    ("italian", "Ricorda che non vivo più a Roma.", "L'utente vive a Roma."),
    ("spanish", "Ya no vivo en Madrid.", "El usuario vive en Madrid."),
    ("spanish", "Ya no como carne.", "El usuario come carne."),
    ("spanish", "Ya no soy vegetariano.", "El usuario es vegetariano."),
    ("french", "Je n'habite plus à Lyon.", "L'utilisateur vit à Lyon."),
    ("french", "Je ne mange plus de viande.", "L'utilisateur mange de viande."),
    ("french", "Je ne fume plus.", "L'utilisateur fume."),
    ("german", "Ich wohne nicht mehr in Berlin.", "Der Nutzer wohnt in Berlin."),
    ("german", "Ich esse kein Fleisch mehr.", "Der Nutzer isst Fleisch."),
    ("german", "Ich mag Oliven nicht mehr.", "Der Nutzer mag Oliven."),
    ("german", "Ich rauche nicht mehr.", "Der Nutzer raucht."),
]
FORGOTTEN = [
    ("italian", "Dimentica che vivo a Roma.", "L'utente vive a Roma."),
    ("italian", "Dimentica che non vivo più a Roma.", "Non vivo più a Roma."),
    ("spanish", "Olvida que vivo en Quito.", "El usuario vive en Quito."),
    ("french", "Oublie que j'habite à Lyon.", "L'utilisateur vit à Lyon."),
    ("german", "Vergiss, dass ich in Bern wohne.", "Der Nutzer wohnt in Bern."),
    ("german", "Vergiss die Sache mit Bern.", "Die Sache mit Bern."),
]
NAMED = [
    ("italian", "Mia sorella si chiama Anna e vive a Roma.", "sorella", "Anna"),
    ("spanish", "Mi hermana se llama Marta.", "hermana", "Marta"),
    ("french", "Ma sœur s'appelle Marie.", "sœur", "Marie"),
    ("french", "Ma belle-mère s'appelle Anne.", "belle_mère", "Anne"),
    ("german", "Meine Schwester heißt Marie.", "schwester", "Marie"),
    ("german", "Merk dir, dass meine Schwester Marie heißt.", "schwester", "Marie"),
    ("german", "Mein CFO ist Giulia Rossi.", "cfo", "Giulia Rossi"),
]


async def heard(language: str, sentence: str) -> list[Candidate]:
    async with open_rules(language, apart=False) as extractor:
        return list(await everything(extractor, Scene((said(sentence),))))


@pytest.mark.parametrize(("language", "sentence", "texts"), [*TOLD, *TOGETHER])
async def test_a_language_is_a_data_file(language: str, sentence: str, texts: list[str]) -> None:
    assert [one.text for one in await heard(language, sentence)] == texts


@pytest.mark.parametrize(("language", "sentence", "texts"), REMEMBERED)
async def test_what_is_to_be_remembered_stands_on_its_own(
    language: str, sentence: str, texts: list[str]
) -> None:
    found = await heard(language, sentence)

    assert [one.text for one in found] == texts
    assert {(one.wish, one.importance) for one in found} == {(Wish.KEEP, 1.0)}


@pytest.mark.parametrize(("language", "sentence"), NOTHING)
async def test_nothing_is_drawn_from_denials_reports_and_conditions(
    language: str, sentence: str
) -> None:
    assert await heard(language, sentence) == []


@pytest.mark.parametrize(("language", "sentence", "text"), ENDED)
async def test_what_no_longer_holds_is_told_as_it_held(
    language: str, sentence: str, text: str
) -> None:
    [one] = await heard(language, sentence)

    assert (one.text, one.wish) == (text, Wish.NEGATE)


@pytest.mark.parametrize(("language", "sentence", "text"), FORGOTTEN)
async def test_what_is_to_be_forgotten_is_told_as_it_was_kept(
    language: str, sentence: str, text: str
) -> None:
    [one] = await heard(language, sentence)

    assert (one.text, one.wish) == (text, Wish.FORGET)


@pytest.mark.parametrize(("language", "sentence", "role", "who"), NAMED)
async def test_who_is_what_to_the_speaker_is_a_relation_and_a_core_entry(
    language: str, sentence: str, role: str, who: str
) -> None:
    found = {one.tier: one for one in await heard(language, sentence)}

    assert found.keys() == {Tier.RELATIONAL, Tier.CORE}
    assert found[Tier.CORE].key == role
    relation = found[Tier.RELATIONAL].relation
    assert relation is not None
    assert (relation.predicate, relation.object) == (f"has_{role}", who)
