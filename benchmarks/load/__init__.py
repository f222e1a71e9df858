"""A championship day: many people follow while the tables hand in what they played."""
