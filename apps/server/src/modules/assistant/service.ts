import type { AssistantAnswer, AssistantFile, contract, Data, Input } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { StorageUnavailable } from '../../platform/storage/index.ts';
import { recordAudit } from '../audit/index.ts';
import { findTenant, presentTenantInfo } from '../accounts/tenants/index.ts';
import { createFacts, type FactDeps } from './facts.ts';
import { fittingFiles, wordsOf } from './files.ts';
import type { AssistantHosts } from './hosts.ts';
import { createModels, ModelFailed, type Model } from './model.ts';
import { outsidePage, ownPage } from './page.ts';
import { findPassages } from './passages.ts';
import type { Material } from './prompt.ts';
import type { FileReader } from '../meeting-files/index.ts';
import type { MeetingService } from '../meetings/index.ts';
import { findSettings, keyBinding, secretBinding, tenantTarget, type Stored } from './settings.ts';

type UserContext = Context<UserCaller>;
type Calls = typeof contract.assistant;
type AskBody = Input<Calls['ask']>['body'];

export interface AssistantDeps extends FactDeps {
  db: Db;
  secrets: SecretBox;
  mail: Mail;
  log: Log;
  hosts: AssistantHosts;
  meetings: Pick<MeetingService, 'list'>;
  readFiles: FileReader;
}

/** How many of the caller's next meetings the model reads. */
const MEETINGS_READ = 10;

/** The clock of a person, with its offset from UTC. An unknown zone: UTC. */
function clockOf(now: Date, timeZone: string): string {
  const options = { dateStyle: 'full', timeStyle: 'long' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(now);
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(now);
  }
}

/** Answers questions. It reads only: acts are proposals, which the caller's page carries out by other calls. */
// oxlint-disable-next-line max-lines-per-function -- short methods of one service
export function createAssistantService(deps: AssistantDeps) {
  const { db, secrets, mail, log, hosts, now, meetings, readFiles } = deps;
  const factsFor = createFacts(deps);
  const models = createModels(hosts);

  const modelOf = (stored: Stored, tenantId: string): Model => ({
    url: stored.modelUrl,
    name: stored.modelName,
    key: stored.modelKeySealed === null ? '' : secrets.open(stored.modelKeySealed, keyBinding(tenantId)),
  });

  /** Meetings of the caller that are running or to come, the next one first. */
  async function upcoming(context: UserContext): Promise<Material['meetings']> {
    const from = now().toISOString();
    const order = { sort: 'startTime', order: 'ASC', tenantWide: false } as const;
    const query = { current: 1, size: MEETINGS_READ, scope: 'all' as const, from, ...order };
    const { records } = await meetings.list(context, query);
    return records.map(({ subject, startTime, numericId }) => ({ subject, startTime, number: numericId }));
  }

  /** Files of the caller's meetings that fit a question; none while the storage does not answer. */
  async function filesFor({ caller, locale }: UserContext, question: string): Promise<AssistantFile[]> {
    try {
      return fittingFiles(question, locale, await readFiles(caller, wordsOf(question)));
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      log.warn({ error, tenantId: caller.tenantId }, 'The assistant could not read files of meetings');
      return [];
    }
  }

  const settingsOf = ({ caller }: UserContext): Promise<Stored> => db.tenant(caller.tenantId, findSettings);

  async function askModel(context: UserContext, stored: Stored, body: AskBody, found: AssistantAnswer) {
    const { passages, files, facts } = found;
    const { text, used, proposals } = await models.ask(modelOf(stored, context.caller.tenantId), {
      ...body,
      passages,
      files,
      facts,
      meetings: await upcoming(context),
      now: clockOf(now(), body.timeZone),
      locale: context.locale,
    });
    const cited = passages.filter((_passage, at) => used.includes(at + 1));
    return { ...found, by: 'model' as const, text, proposals, passages: cited.length > 0 ? cited : passages };
  }

  return {
    /** @throws AppError ASSISTANT_ADDRESS_REFUSED if the outside page is no longer allowed */
    async session(context: UserContext): Promise<string> {
      const { caller, locale, origin } = context;
      const { answers, pageUrl, pageSecretSealed } = await settingsOf(context);
      if (answers !== 'page' || pageSecretSealed === null) return ownPage(origin);
      if (!hosts.allowsPage(pageUrl)) throw new AppError('ASSISTANT_ADDRESS_REFUSED');
      const secret = secrets.open(pageSecretSealed, secretBinding(caller.tenantId));
      return outsidePage(pageUrl, secret, { ...caller, locale }, now());
    },

    about: ({ caller }: UserContext): Promise<Data<Calls['about']>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const tenant = await findTenant(tx, tx.tenantId);
        if (!tenant) throw new AppError('NOT_FOUND');
        const { answers, deskMail } = await findSettings(tx);
        return {
          hasModel: answers === 'model',
          hasDesk: deskMail !== '' && mail.isConfigured,
          serviceDesk: presentTenantInfo(tenant).serviceDesk,
        };
      }),

    async ask(context: UserContext, body: AskBody): Promise<AssistantAnswer> {
      const { passages, topics } = findPassages(body.question, context.locale);
      const facts = await factsFor(context, topics);
      const files = await filesFor(context, body.question);
      const found = { by: 'manual' as const, text: '', passages, files, facts, proposals: [], modelFailed: false };
      const stored = await settingsOf(context);
      if (stored.answers !== 'model') return found;
      try {
        return await askModel(context, stored, body, found);
      } catch (error) {
        if (!(error instanceof ModelFailed)) throw error;
        log.warn({ error, tenantId: context.caller.tenantId }, 'The language model of a tenant did not answer');
        return { ...found, modelFailed: true };
      }
    },

    /** @throws AppError ASSISTANT_MODEL_MISSING */
    async testModel(context: UserContext): Promise<Data<Calls['testModel']>> {
      const stored = await db.tenant(context.caller.tenantId, async (tx) => {
        const row = await findSettings(tx);
        if (row.modelUrl === '' || row.modelName === '') throw new AppError('ASSISTANT_MODEL_MISSING');
        await recordAudit(tx, context, now(), {
          target: await tenantTarget(tx),
          after: { modelUrl: row.modelUrl, modelName: row.modelName },
        });
        return row;
      });
      return models.test(modelOf(stored, context.caller.tenantId), () => performance.now());
    },
  };
}

export type AssistantService = ReturnType<typeof createAssistantService>;
