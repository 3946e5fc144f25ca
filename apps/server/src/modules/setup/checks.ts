import type { contract, Data, Locale } from '@rmeet/contract';
import type { Config } from '../../platform/config/index.ts';
import { PLATFORM_TENANT_ID, type Db } from '../../platform/db/index.ts';
import { AppError, type Context, type OperatorCaller } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Mail } from '../../platform/mail/index.ts';
import { dropClosedChecks, openCheckRoom, type Media } from '../../platform/media/index.ts';
import { passkeysOfOtherNames } from '../accounts/auth/index.ts';
import { recordAudit } from '../audit/index.ts';

type OperatorContext = Context<OperatorCaller>;

interface ChecksDeps {
  db: Db;
  config: Pick<Config, 'livekit' | 'tls' | 'isLoopback' | 'trustedProxies' | 'backups' | 'media'>;
  mail: Mail;
  media: Media;
  log: Log;
  now: () => Date;
  /** The addresses people use. */
  publicUrls: () => readonly string[];
}

const TEST_MAIL: Record<Locale, { subject: string; text: string }> = {
  zh: { subject: 'Rmeet 测试邮件', text: '收到此邮件，说明 Rmeet 可以发送会议邀请和通知。\n' },
  en: {
    subject: 'Test mail from Rmeet',
    text: 'That you read this means that Rmeet can send invitations and notices of meetings.\n',
  },
};

/** Checks of an installation for operators: mail and media. */
// oxlint-disable-next-line max-lines-per-function -- three short checks and the helpers of one
export function createChecks({ db, config, mail, media, log, now, publicUrls }: ChecksDeps) {
  /**
   * A room on a media server and its token; undefined if the server accepts none, because another one may.
   */
  async function placeOn(
    zone: Media,
    index: number,
    server: string,
    context: OperatorContext,
  ): Promise<Data<typeof contract.setup.checkMedia>['places'][number] | undefined> {
    let token: string;
    try {
      token = await openCheckRoom({ zone, now: now(), server, canPublish: false });
    } catch (error) {
      log.warn({ error, server }, 'A media server accepts no room for a trial');
      return undefined;
    }
    return { zone: zone.zone.name, url: zone.url(context), token, port: zone.udpPorts[index] ?? null };
  }

  async function placesIn(zone: Media, context: OperatorContext) {
    if (!zone.available()) return [];
    await dropClosedChecks(zone, now()).catch((error: unknown) =>
      log.debug({ error }, 'Rooms of former trials could not be removed'),
    );
    const servers = await zone.servers();
    return Promise.all(
      servers.map(async ({ id, state }, index) => (state === 'up' ? placeOn(zone, index, id, context) : undefined)),
    );
  }

  return {
    /** The settings from the environment, and passkeys of former addresses. */
    async show(): Promise<Data<typeof contract.setup.checks>> {
      const { livekit, tls, isLoopback, trustedProxies, backups } = config;
      const lost = await db.platform((tx) => passkeysOfOtherNames(tx, publicUrls()));
      return {
        mail: { isConfigured: mail.isConfigured, server: mail.server, sender: mail.sender },
        media: { ports: [...media.udpPorts], isFixed: config.media.udpPort !== 0, livekit: livekit?.url ?? null },
        isSelfSigned: !tls && !isLoopback && trustedProxies.length === 0,
        hasBackups: backups !== undefined,
        lostPasskeys: [...lost].map(([name, count]) => ({ name, count })),
      };
    },

    /**
     * Sends a test mail and waits for the mail server's reply.
     *
     * @throws AppError MAIL_NOT_CONFIGURED
     */
    async sendTestMail(context: OperatorContext, to: string): Promise<Data<typeof contract.setup.sendTestMail>> {
      if (!mail.isConfigured) throw new AppError('MAIL_NOT_CONFIGURED');
      const { failure, detail } = await mail.attempt({ to, ...TEST_MAIL[context.locale] });
      const { userId, name } = context.caller;
      await db.tenant(PLATFORM_TENANT_ID, (tx) =>
        recordAudit(tx, context, now(), { target: { kind: 'account', id: userId, name }, after: { to, failure } }),
      );
      return { failure, detail };
    },

    /**
     * Creates a room on every media server that accepts one, for a browser to connect to.
     *
     * @throws AppError MEDIA_UNAVAILABLE if none does
     */
    async checkMedia(context: OperatorContext): Promise<Data<typeof contract.setup.checkMedia>> {
      const found = await Promise.all(media.zones().map((zone) => placesIn(zone, context)));
      const places = found.flat().filter((place) => place !== undefined);
      if (places.length === 0) throw new AppError('MEDIA_UNAVAILABLE');
      return { places };
    },
  };
}

export type Checks = ReturnType<typeof createChecks>;
