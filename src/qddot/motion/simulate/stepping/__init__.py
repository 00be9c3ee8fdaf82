"""Methods of integration: how a plant is stepped from one time to the next."""
