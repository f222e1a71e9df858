"""The release before works on the schema of this one: rules for migrations, and the proof."""
