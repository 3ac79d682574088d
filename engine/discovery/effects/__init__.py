"""From a finding to its size: association, adjusted association, effect of changing it. Never mixed."""
