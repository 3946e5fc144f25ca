import meetingsMjs from '../../../../../docs/api/meetings.mjs?raw';
import meetingsPy from '../../../../../docs/api/meetings.py?raw';
import meetingsSh from '../../../../../docs/api/meetings.sh?raw';
import verifyMjs from '../../../../../docs/api/verify-webhook.mjs?raw';
import verifyPy from '../../../../../docs/api/verify-webhook.py?raw';
import verifySh from '../../../../../docs/api/verify-webhook.sh?raw';

export const LANGUAGES = ['curl', 'javascript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The programs of docs/api, which tests run against a real server. */
export const EXAMPLES = [
  { key: 'meetings', texts: { curl: meetingsSh, javascript: meetingsMjs, python: meetingsPy } },
  { key: 'webhook', texts: { curl: verifySh, javascript: verifyMjs, python: verifyPy } },
] as const;
