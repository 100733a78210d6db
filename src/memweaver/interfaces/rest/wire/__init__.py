"""What travels: the bodies and queries REST reads, and the answers it writes."""
