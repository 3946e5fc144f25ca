export {
  freeStretches,
  isBareFloor,
  openStretches,
  stateOf,
  stretchOf,
  type RoomState,
  type Stretch,
  type Taken,
} from './intervals.ts';
export { clockOf, dayOf, daysWords, instantOf, minutesOf, offsetName, offsetOf, ownZone, shiftDay } from './zone.ts';
