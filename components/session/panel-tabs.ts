/** What the panel of a session shows. */
export const PANEL_TABS = ['info', 'network', 'record'] as const
export type PanelTab = (typeof PANEL_TABS)[number]
