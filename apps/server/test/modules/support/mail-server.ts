import { startMailServer, type MailServer } from '@rmeet/testkit';
import { createMail, type Mail } from '../../../src/platform/mail/index.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

export interface TestMail {
  mails: MailServer;
  /** The server's mail client, connected to the mail server. */
  mail: Mail;
  close: () => Promise<void>;
}

/** A mail server and its client. */
export async function startTestMail(): Promise<TestMail> {
  const mails = await startMailServer();
  const mail = createMail({ url: `smtp://127.0.0.1:${mails.port}`, from: 'Rmeet <meet@example.org>' });
  return {
    mails,
    mail,
    async close() {
      mail.close();
      await mails.close();
    },
  };
}

/** The real server with a mail server and, for links in mails, its own address; both are closed together. */
export async function startServerWithMail(
  options: Omit<TestServerOptions, 'mail'> = {},
): Promise<{ server: TestServer; mails: MailServer }> {
  const { mails, mail, close } = await startTestMail();
  const server = await startTestServer({ publicUrls: ['https://meet.example.org'], ...options, mail });
  const closeServer = server.close.bind(server);
  return {
    mails,
    server: Object.assign(server, {
      async close() {
        await closeServer();
        await close();
      },
    }),
  };
}
