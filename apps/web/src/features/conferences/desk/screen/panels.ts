/** What is fetched when somebody first opens one of them. */
export { CaptionsPanel } from './CaptionsPanel.tsx';
export { ContentPanel } from './ContentPanel.tsx';
export { LayoutPanel } from './LayoutPanel.tsx';
export { TerminalCaptionsDialog, TerminalLayoutDialog } from './TerminalDialogs.tsx';
