export {
  freeIntervals,
  isBareFloor,
  openIntervals,
  stateOf,
  intervalOf,
  type RoomState,
  type Interval,
  type Taken,
} from './intervals.ts';
export { clockOf, dayOf, daysWords, instantOf, minutesOf, offsetName, offsetOf, ownZone, shiftDay } from './zone.ts';
