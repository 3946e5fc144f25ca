export { createSms } from './sms.ts';
export { SmsForbidden, SmsRefused, type Gateway, type Sms, type TextMessage } from './types.ts';
