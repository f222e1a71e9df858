"""What is fast, measured beside a yardstick in C, so that the ratio can be seen on any machine."""
