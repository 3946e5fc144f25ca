/**
 * The picture on air without a source: 320 x 180 of #202428, a VP8 key frame from ffmpeg's `color`, encoded with
 * libvpx.
 */
export const BLANK = Buffer.from(
  'cA8AnQEqQAG0ADmBAC8cJAwsLETMJEH8AAAwsCeu6QyVlySF5el3SGSsuSQvL0u6QyVlySF5el3SGSsuSQvL0u6QyVlySF5el3SG' +
    'SsuSQvL0u6QyVlySF5el3SGSsuSQvL0u6QyVlySF5el3SGSsuSQvL0u6QyVlySF5el3SGSsuSQvJQP7glAA=',
  'base64',
);
