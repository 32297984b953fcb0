"""The JSON interface: handlers, the types of requests and answers, the OpenAPI document."""
