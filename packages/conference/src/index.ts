export { applyCommand } from './commands/apply.ts';
export { controlChanges, withChanges } from './commands/changes.ts';
export { seatsPolling } from './commands/on-air.ts';
export * from './commands/command.ts';
export { CORNERS, gridIn, gridOf, stageIn, type Corner, type Place, type Space } from './layout/geometry.ts';
export * from './layout/layout.ts';
export { seatsIn } from './layout/models.ts';
export * from './programme.ts';
export * from './roles.ts';
export * from './speakers.ts';
export {
  allowancesOf,
  CHAT_AUDIENCES,
  leads,
  SHARE_AUDIENCES,
  shareBarrier,
  type Allowances,
} from './state/allowances.ts';
export {
  beginningControl,
  conferenceControl,
  controlChange,
  controlOrder,
  NO_CONTROL,
  terminalControl,
  type ConferenceControl,
  type ControlChange,
  type TerminalControl,
} from './state/control.ts';
export { hasCapability, PLAIN_CAPABILITIES, type PlainCapability } from './state/encryption.ts';
export * from './state/broadcast.ts';
export * from './state/modes.ts';
export * from './state/proceedings.ts';
export * from './state/recording.ts';
export * from './state/screen.ts';
export * from './templates.ts';
