import { generate } from 'selfsigned';
import { afterEach, expect, test } from 'vitest';
import { createMail, MailRefused, type Mail } from '../../src/platform/mail/index.ts';
import { startMailServer, type MailServer } from '@rmeet/testkit';

const from = 'Rmeet <meet@example.org>';
const message = {
  to: 'bob@example.org',
  subject: 'Alice 邀请您参加会议「查房」',
  text: '请加入 https://meet.example.org/#/join?number=482913057\n',
};
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  closing.push(() => server.close());
  return server;
}
function mailTo(url: string): Mail {
  const mail = createMail({ url, from });
  closing.unshift(() => mail.close());
  return mail;
}
const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => {
      throw new Error('It was sent.');
    },
    (error: unknown) => error as Error,
  );

test('without settings mail is refused as not configured', async () => {
  const mail = createMail(undefined);
  expect(mail.isConfigured).toBe(false);
  await expect(mail.send(message)).rejects.toThrow(MailRefused);
});

test('a message arrives as it was written, in Chinese too', async () => {
  const server = await serve();
  const mail = mailTo(`smtp://127.0.0.1:${server.port}`);
  expect(mail.isConfigured).toBe(true);
  await mail.send(message);
  expect(server.received).toMatchObject([
    {
      from: 'meet@example.org',
      to: ['bob@example.org'],
      subject: message.subject,
      text: message.text,
      secure: false,
      user: undefined,
    },
  ]);
  expect(server.received[0]?.headers).toMatch(/^From: Rmeet <meet@example.org>$/m);
});

test('a recipient is one address, whatever it contains', async () => {
  const server = await serve();
  await mailTo(`smtp://127.0.0.1:${server.port}`).send({ ...message, to: 'bob+a.b@example.org' });
  await failure(
    mailTo(`smtp://127.0.0.1:${server.port}`).send({
      ...message,
      to: 'bob@example.org\r\nBcc: carol@example.org, erin@example.org',
    }),
  );
  expect(server.received.map(({ to }) => to)).toEqual([['bob+a.b@example.org']]);
});

test('it signs in with the account of the URL, over STARTTLS if offered', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const onAuth: NonNullable<Parameters<typeof startMailServer>[0]>['onAuth'] = ({ username, password }, _, answer) =>
    password === 'p@ss'
      ? answer(null, { user: username })
      : answer(Object.assign(new Error('No'), { responseCode: 535 }));
  const encrypted = await serve({ key, cert, disabledCommands: [], authOptional: false, onAuth });
  await mailTo(`smtp://meet:p%40ss@127.0.0.1:${encrypted.port}/?tls.rejectUnauthorized=false`).send(message);
  expect(encrypted.received).toMatchObject([{ secure: true, user: 'meet' }]);
  // A certificate without a trusted issuer is rejected unless the URL allows it.
  expect(await failure(mailTo(`smtp://meet:p%40ss@127.0.0.1:${encrypted.port}`).send(message))).not.toBeInstanceOf(
    MailRefused,
  );

  const plain = await serve({ allowInsecureAuth: true, authOptional: false, onAuth });
  await mailTo(`smtp://meet:p%40ss@127.0.0.1:${plain.port}`).send(message);
  expect(plain.received).toMatchObject([{ secure: false, user: 'meet' }]);
  const refused = await failure(mailTo(`smtp://meet:wrong@127.0.0.1:${plain.port}`).send(message));
  expect(refused).toBeInstanceOf(MailRefused);
  expect(refused.message).not.toContain('wrong');
  expect(plain.received).toHaveLength(1);
});

test('a temporary refusal is another error than a permanent one', async () => {
  const server = await serve();
  const mail = mailTo(`smtp://127.0.0.1:${server.port}`);
  server.refusals.push(451);
  const temporary = await failure(mail.send(message));
  expect(temporary).not.toBeInstanceOf(MailRefused);
  expect(temporary.message).toContain('451');
  server.refusals.push(550);
  const lasting = await failure(mail.send(message));
  expect(lasting).toBeInstanceOf(MailRefused);
  // The log must not contain addresses.
  expect(lasting.message).not.toContain('bob');
  await mail.send(message);
  expect(server.received).toHaveLength(1);
});

test('an unreachable mail server is a temporary error', async () => {
  const server = await startMailServer();
  const mail = mailTo(`smtp://127.0.0.1:${server.port}`);
  await server.close();
  expect(await failure(mail.send(message))).not.toBeInstanceOf(MailRefused);
});
