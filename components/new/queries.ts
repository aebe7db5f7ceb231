/** The person's last workloads, ended ones too: what the form starts from. Here once, so that the server asks the same. */
export const RECENT = { mine: true, ended: true, limit: 10 }
