/**
 * Conference templates, chosen when a meeting is booked. `mode` and `muteOnEntry` are the initial settings of its
 * conference, `codec` (null: the organisation's) and `bitrate` (kbit/s) what its cameras send.
 */
export const CONFERENCE_TEMPLATES = [
  {
    id: 'standard',
    name: '标准会议',
    nameEn: 'Standard',
    mode: 'AUTO',
    muteOnEntry: false,
    waitingRoom: false,
    joinBeforeHost: true,
    codec: null,
    bitrate: 1_700,
  },
  {
    id: 'lecture',
    name: '讲座',
    nameEn: 'Lecture',
    mode: 'SPEAKER',
    muteOnEntry: true,
    waitingRoom: false,
    joinBeforeHost: false,
    codec: null,
    bitrate: 1_700,
  },
  {
    id: 'confidential',
    name: '保密会议',
    nameEn: 'Confidential',
    mode: 'AUTO',
    muteOnEntry: false,
    waitingRoom: true,
    joinBeforeHost: false,
    codec: null,
    bitrate: 1_700,
  },
  {
    id: 'rooms',
    name: '会议室互联',
    nameEn: 'Room to room',
    mode: 'AUTO',
    muteOnEntry: false,
    waitingRoom: false,
    joinBeforeHost: true,
    codec: 'h264',
    bitrate: 3_000,
  },
  {
    id: 'lowBandwidth',
    name: '低带宽',
    nameEn: 'Low bandwidth',
    mode: 'AUTO',
    muteOnEntry: true,
    waitingRoom: false,
    joinBeforeHost: true,
    codec: null,
    bitrate: 500,
  },
] as const;
export type ConferenceTemplateId = (typeof CONFERENCE_TEMPLATES)[number]['id'];
