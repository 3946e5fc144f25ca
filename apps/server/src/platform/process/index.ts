export { askForRecorder, passToMedia, runSupervised, type Running } from './child.ts';
export { environmentOfProcesses } from './environment.ts';
export { keepRunning, type Keeper, type KeeperOptions } from './keeper.ts';
export {
  ASSIGNMENT,
  CannotStart,
  EXIT_CANNOT_START,
  EXIT_CONFIG,
  TryAgain,
  type Assignment,
  type MediaAssignment,
} from './messages.ts';
export { processTag } from './process-tag.ts';
export { freeTcpPort, freeUdpPort } from './ports.ts';
