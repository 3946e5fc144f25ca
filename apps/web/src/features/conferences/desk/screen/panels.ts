/** The chunk that is loaded when the first of these panels is opened. */
export { CaptionsPanel } from './CaptionsPanel.tsx';
export { ContentPanel } from './ContentPanel.tsx';
export { LayoutPanel } from './LayoutPanel.tsx';
export { TerminalCaptionsDialog, TerminalLayoutDialog } from './TerminalDialogs.tsx';
