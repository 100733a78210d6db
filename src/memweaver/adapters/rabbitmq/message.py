"""A job as a message: its name, whose it is, how urgent and since when; never what was said."""

import json

from aio_pika import DeliveryMode, Message

from memweaver.domain.job import Job, Priority

PRIORITIES = {Priority.LOW: 0, Priority.NORMAL: 4, Priority.HIGH: 8}
"""As the broker counts them, with room above and between."""


def message(job: Job) -> Message:
    body = {
        "job_id": job.id,
        "user_id": job.scope.user,
        "priority": int(job.priority),
        "timestamp": job.created_at.isoformat(),
    }
    return Message(
        json.dumps(body).encode(),
        content_type="application/json",
        delivery_mode=DeliveryMode.PERSISTENT,
        message_id=job.id,
        priority=PRIORITIES[job.priority],
        timestamp=job.created_at,
        # Not as the property `user_id`, which the broker wants to be the login.
        headers={
            "user_id": job.scope.user,
            "retry_count": job.failures,
            "created_at": job.created_at.isoformat(),
        },
    )
