"""Operations: services."""
