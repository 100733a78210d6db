"""The socket client by the name under which some look for it."""

from memweaver.client.sockets import AiSocketClient as AiSocketClient
