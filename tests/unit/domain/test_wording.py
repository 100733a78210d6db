"""Wording: what contradicts what, and what only resembles it."""

import pytest

from memweaver.domain.wording import contradicts, negated

DENIED = [
    ("User likes tea.", "User does not like tea."),
    ("User likes tea.", "User doesn\u2019t like tea anymore."),
    ("User likes tea.", "User hates tea."),
    ("User likes tea.", "User dislikes tea."),
    ("User likes tea.", "User can't stand tea."),
    ("User loves tea.", "User does not like tea at all."),
    ("User hates tea.", "User does not hate tea."),
    ("User does like tea.", "User does not like tea."),
    ("User eats meat.", "User no longer eats meat."),
    ("User eats meat again.", "User does not eat meat."),
    ("User eats meat.", "User never eats any meat."),
    ("User is vegetarian.", "User is not vegetarian."),
    ("User is a vegetarian.", "The user isn't vegetarian."),
    ("User lives in Lyon.", "User does not live in Lyon."),
    ("User currently lives in Lyon.", "User doesn't live in Lyon any more."),
    ("User has a dog.", "User has no dog."),
    ("User has a dog.", "User does not have a dog."),
    ("User studies law.", "User does not study law."),
    ("User plays chess.", "User does not play chess now."),
    ("User watches films.", "User does not watch films."),
    ("User does yoga.", "User does not do yoga."),
    ("User can swim.", "User cannot swim."),
    ("User will move.", "User won't move."),
    ("Ann and Bob drink tea.", "Ann and Bob don't drink tea."),
    ("Der Nutzer wohnt in Berlin.", "Der Nutzer wohnt nicht mehr in Berlin."),
    ("Der Nutzer mag Oliven.", "Der Nutzer mag keine Oliven."),
    ("Der Nutzer isst Fleisch.", "Der Nutzer isst kein Fleisch mehr."),
    ("Der Nutzer hat einen Hund.", "Der Nutzer hat keinen Hund."),
    ("Der Nutzer mag Oliven.", "Der Nutzer hasst Oliven."),
    ("L'utente vive a Roma.", "L'utente non vive più a Roma."),
    ("L'utente mangia carne.", "L'utente non mangia carne."),
    ("All'utente piace il tè.", "All'utente non piace più il tè."),
    ("El usuario vive en Madrid.", "El usuario ya no vive en Madrid."),
    ("Al usuario le gusta el té.", "Al usuario no le gusta el té."),
    ("L'utilisateur habite à Lyon.", "L'utilisateur n'habite plus à Lyon."),
    ("L'utilisateur aime le thé.", "L'utilisateur n\u2019aime pas le thé."),
    ("L'utilisateur mange de la viande.", "L'utilisateur ne mange plus de viande."),
    ("L'utilisateur mange du pain.", "L'utilisateur ne mange jamais de pain."),
    ("L'utilisateur mange des oranges.", "L'utilisateur ne mange pas d'oranges."),
    ("L'utilisateur a un chien.", "L'utilisateur n'a pas de chien."),
    ("L'utilisateur adore le thé.", "L'utilisateur déteste le thé."),
]

RESEMBLING = [
    ("User lives in Berlin.", "User does not like Berlin."),
    ("User lives in Berlin.", "User does not like living in Berlin."),
    ("User works at Siemens.", "User does not like Siemens."),
    ("User is allergic to peanuts, shellfish and eggs.", "User is not allergic to nuts."),
    ("User likes tea.", "User does not like green tea."),
    ("User likes green tea.", "User does not like tea."),
    ("User likes coffee and tea.", "User does not like coffee."),
    ("User likes tea.", "User does not like tea in the evening."),
    ("User likes dogs.", "User does not like the dog."),
    ("User likes tea.", "User's wife does not like tea."),
    ("User's wife likes tea.", "User does not like tea."),
    ("Ann loves Bob.", "Bob does not love Ann."),
    ("User flies to Berlin.", "User does not fly from Berlin."),
    ("User lived in Lyon.", "User does not live in Lyon."),
    ("User had a dog.", "User has no dog."),
    ("User was a smoker.", "User is not a smoker."),
    ("User drinks tea.", "User does not drink any more tea than Ann."),
    ("User likes tea.", "User does not love tea."),
    ("User likes tea.", "User does not hate tea."),
    ("User does not like tea.", "User does not hate tea."),
    ("User does not like tea.", "User hates tea."),
    ("User likes tea.", "User loves tea."),
    ("User likes love songs.", "User likes hate songs."),
    ("User likes tea.", "User does not."),
    ("Der Nutzer wohnt in Berlin.", "Der Nutzer mag keine Oliven."),
    ("Der Nutzer mag Tee.", "Der Nutzer mag keinen grünen Tee."),
    ("L'utente vive a Roma.", "L'utente non ama Roma."),
    ("L'utente ha due gatti.", "L'utente ne ha due."),
    ("El usuario viene a la playa.", "El usuario no viene de la playa."),
    ("L'utilisateur habite à Lyon.", "L'utilisateur n'aime pas Lyon."),
    ("", "No."),
    ("", ""),
]


@pytest.mark.requirement("X2")
@pytest.mark.parametrize(("held", "denial"), DENIED)
def test_a_denial_of_all_that_is_said_contradicts_it(held: str, denial: str) -> None:
    assert contradicts(denial, held)
    assert contradicts(held, denial)


@pytest.mark.requirement("X2")
@pytest.mark.parametrize(("held", "denial"), RESEMBLING)
def test_what_only_resembles_a_denial_contradicts_nothing(held: str, denial: str) -> None:
    assert not contradicts(denial, held)
    assert not contradicts(held, denial)


@pytest.mark.parametrize(("held", "denial"), DENIED)
def test_a_denial_is_known_for_one(held: str, denial: str) -> None:
    assert negated(denial)
    assert negated(held) == ("hates" in held)
