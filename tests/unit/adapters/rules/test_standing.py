"""What becomes of what is found: its tier, its relation, its authority and its weight."""

import pytest
from tests.unit.adapters.rules.finding import found

from memweaver.domain.candidate import CandidateKind, Relation
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority
from memweaver.ports.extract import Extractor


@pytest.mark.requirement("C11")
async def test_who_is_what_to_the_user_is_one_relation_and_one_core_entry(
    extractor: Extractor,
) -> None:
    relation, core = await found(extractor, "My CFO is Giulia.")

    assert relation.relation == Relation("User", "person", "has_cfo", "Giulia", "person")
    assert relation.tier is Tier.RELATIONAL
    assert (core.tier, core.key, core.kind) == (Tier.CORE, "cfo", CandidateKind.FACT)


@pytest.mark.requirement("C18")
async def test_who_works_on_a_project_is_a_relation_only(extractor: Extractor) -> None:
    [one] = await found(extractor, "Marco is the PM on Project Acme.")

    stake = Relation("Marco", "person", "stakeholder_of", "Project Acme", "project")
    assert (one.relation, one.tier) == (stake, Tier.RELATIONAL)


async def test_orders_and_likings_have_their_authority(extractor: Extractor) -> None:
    [order] = await found(extractor, "Always answer in Italian.")
    [liking] = await found(extractor, "I hate coriander.")

    assert (order.authority, order.tier) == (Authority.INSTRUCTION, Tier.PROCEDURAL)
    assert liking.authority is Authority.PREFERENCE


async def test_a_reminder_has_its_day_and_matters_most(extractor: Extractor) -> None:
    [one] = await found(extractor, "Remind me to call mom tomorrow.")

    assert one.text == "Remind User to call mom on 2026-11-17."
    assert one.importance == 1.0


async def test_health_matters_more_than_other_facts(extractor: Extractor) -> None:
    [health] = await found(extractor, "I am allergic to peanuts.")
    [home] = await found(extractor, "I live in Oslo.")

    assert health.importance > home.importance
