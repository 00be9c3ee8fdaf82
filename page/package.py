"""The built page of qddot: static files, which `qddot page` serves, and the view of `arm.view()` in notebooks."""
