import type { System } from '../../lib/system.ts';

/** One entry of the sidebar. `key` names its text in `common:shell`. */
interface NavEntry {
  key: 'myMeeting' | 'allMeetings' | 'join';
  path: string;
  icon: 'calendar' | 'enter';
}

export interface NavGroup {
  key: 'groupMeeting';
  entries: readonly NavEntry[];
}

const NAVIGATION: Record<System, readonly NavGroup[]> = {
  user: [
    {
      key: 'groupMeeting',
      entries: [
        { key: 'myMeeting', path: '/myMeeting', icon: 'calendar' },
        { key: 'join', path: '/join', icon: 'enter' },
      ],
    },
  ],
  manage: [{ key: 'groupMeeting', entries: [{ key: 'allMeetings', path: '/myMeeting', icon: 'calendar' }] }],
  admin: [],
};

/** The groups of an app's sidebar. */
export function navigationOf(system: System): readonly NavGroup[] {
  return NAVIGATION[system];
}
