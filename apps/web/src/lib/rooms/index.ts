export { useFloors, useLiveOccupancy, useOccupancy, type Taken } from './queries.ts';
export { freeStretches, isBareFloor, openStretches, stateOf, stretchOf, type RoomState, type Stretch } from './stretches.ts';
export { clockOf, dayOf, instantOf, minutesOf, offsetName, offsetOf, ownZone, shiftDay } from './zone.ts';
