import type { Measure, StatisticDimension } from '@rmeet/contract';

/** Measures that are looked at together: their tiles, and by what they can be split. */
interface Group {
  measures: readonly Measure[];
  dimensions: readonly StatisticDimension[];
}

export const GROUPS = {
  meetings: {
    measures: ['meetings', 'minutes', 'booked', 'cancelled'],
    dimensions: ['department', 'type', 'tenant'],
  },
  people: {
    measures: ['people', 'terminals', 'terminalMinutes', 'peak', 'calls', 'declined'],
    dimensions: ['department', 'type', 'tenant'],
  },
  quality: {
    measures: ['badMinutes', 'fairMinutes', 'goodMinutes'],
    dimensions: ['cause', 'qualityDepartment', 'network', 'device'],
  },
  rooms: {
    measures: ['rooms', 'roomBookings', 'roomMinutes', 'resourceBookings', 'portMinutes'],
    dimensions: ['room', 'resource'],
  },
  media: {
    measures: ['recordings', 'recordedMinutes', 'recordedBytes', 'broadcasts', 'viewers', 'watchedMinutes'],
    dimensions: ['department', 'type', 'tenant'],
  },
  use: {
    measures: ['signIns', 'storageBytes'],
    dimensions: ['method', 'storage'],
  },
} as const satisfies Record<string, Group>;

export type GroupName = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as GroupName[];

/** The measures of a group that a part of this dimension has. */
export function columnsOf(group: GroupName, dimension: StatisticDimension): readonly Measure[] {
  switch (dimension) {
    case 'room':
      return ['roomBookings', 'roomMinutes'];
    case 'resource':
      return ['resourceBookings', 'portMinutes'];
    case 'method':
      return ['signIns'];
    case 'storage':
      return ['storageBytes'];
    case 'tenant':
      // People of several tenants are not counted by tenant.
      return GROUPS[group].measures.filter((measure) => measure !== 'people');
    case 'department':
    case 'type':
    case 'cause':
    case 'qualityDepartment':
    case 'network':
    case 'device':
      return GROUPS[group].measures;
  }
}
