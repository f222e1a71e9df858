"""Director: serializers."""
