export { htmlOf } from './html.ts';
export { createMail } from './mail.ts';
export { MailRefused, type Mail, type Message, type Trial } from './types.ts';
