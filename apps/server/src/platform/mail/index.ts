export { createMail } from './mail.ts';
export { MailRefused, type Mail, type Message } from './types.ts';
