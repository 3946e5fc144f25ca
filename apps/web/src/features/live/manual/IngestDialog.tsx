import { BROADCAST_ACTIONS_IN, type ManualLive } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { formatMoment } from '../../../lib/time.ts';
import { useT as useBroadcastTexts } from '../../../ui/broadcast/texts.ts';
import { useRunBroadcast } from '../../../ui/broadcast/useRunBroadcast.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { CopiedAddress } from '../targets/CopiedAddress.tsx';
import { IngestAddressFields } from '../targets/IngestAddressFields.tsx';
import { useProviderConfig } from '../targets/queries.ts';
import { arrivalOf, bitrateWords } from './arrival.ts';
import { useManualLive, useNewKey } from './queries.ts';
import { useT } from './texts.ts';
import '../list/dialog.css';
import '../targets/targets.css';
import './manual.css';

interface IngestDialogProps {
  broadcast: ManualLive;
  /** May ask for a new key. */
  mayBook: boolean;
  onClose: () => void;
}

/** Where an encoder sends the stream, and what arrives of it now. */
export function IngestDialog({ broadcast, mayBook, onClose }: IngestDialogProps) {
  const t = useT();
  const common = useTexts('common');
  const running = useBroadcastTexts();
  const run = useRunBroadcast();
  // As it was in the list until the first answer.
  const now = useManualLive(broadcast.id).data ?? broadcast;
  const mayStart = now.can.run && now.isReady && BROADCAST_ACTIONS_IN[now.state].includes('START');
  return (
    <div className="live-dialog">
      <Dialog
        title={t(now.source === 'play' ? 'ingest.title.play' : 'ingest.title.push')}
        testId="manual-ingest"
        onClose={onClose}
      >
        <p className="live-dialog-subject">{now.subject}</p>
        <Arriving broadcast={now} />
        {now.source === 'play' ? (
          <section className="live-addresses">
            <CopiedAddress label={t('form.playAddress')} address={now.playAddress} testId="ingest-play" />
          </section>
        ) : (
          <PushAddresses id={now.id} mayBook={mayBook && now.state !== 'ended'} />
        )}
        <div className="live-dialog-buttons">
          <Button onClick={onClose}>{common('close')}</Button>
          {mayStart && (
            <Button kind="primary" data-testid="ingest-start" onClick={() => run('START', now)}>
              {running('run.action.START')}
            </Button>
          )}
        </div>
      </Dialog>
    </div>
  );
}

/** What arrives now, in a box that keeps its height. */
function Arriving({ broadcast }: { broadcast: ManualLive }) {
  const t = useT();
  const running = useBroadcastTexts();
  const arrival = arrivalOf(broadcast, t);
  const { ingest, state, source, startsItself } = broadcast;
  if (arrival === null || ingest === null) return null;
  const isArriving = ingest.state === 'arriving';
  const isSetUp = state === 'scheduled' && !isArriving && arrival.reason === '';
  return (
    <section className="manual-now" data-tone={arrival.tone} aria-label={t('ingest.now')} data-testid="ingest-now">
      <p className="manual-now-words" role="status">
        <strong>{arrival.words}</strong>
        <span>{running(`state.${state}`)}</span>
      </p>
      {arrival.reason !== '' && (
        <p className="manual-now-reason" data-testid="ingest-reason">
          {arrival.reason}
        </p>
      )}
      {isArriving && <Facts ingest={ingest} />}
      {isSetUp && <p className="manual-now-hint">{t(`ingest.hint.${source === 'play' ? 'play' : 'push'}`)}</p>}
      {isSetUp && startsItself && <p className="manual-now-hint">{t('ingest.startsItself')}</p>}
    </section>
  );
}

function Facts({ ingest }: { ingest: NonNullable<ManualLive['ingest']> }) {
  const t = useT();
  const { width, height, hasSound, bitrate, since, way } = ingest;
  const facts = [
    ['size', width === null || height === null ? t('arrival.noPicture') : `${width} × ${height}`],
    ['sound', t(hasSound ? 'ingest.hasSound' : 'arrival.noSound')],
    ['bitrate', bitrateWords(bitrate)],
    ['way', way === null ? '' : t(`ingest.by.${way}`)],
    ['since', since === null ? '' : formatMoment(since)],
  ] as const;
  return (
    <dl className="manual-facts">
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{t(`ingest.fact.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Addresses and key for encoders, a new key, and how an encoder is set up. */
function PushAddresses({ id, mayBook }: { id: string; mayBook: boolean }) {
  const t = useT();
  const common = useTexts('common');
  const config = useProviderConfig(id);
  const newKey = useNewKey(id);
  const renew = async () => {
    const sure = await ask({
      title: t('key.title'),
      text: t('key.text'),
      okText: t('key.renew'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (sure) newKey.mutate(undefined, { onSuccess: () => toast('success', () => t('key.done')) });
  };
  if (!config.data) return config.isPending ? <Loading /> : <ErrorState retry={() => void config.refetch()} />;
  const { ingest } = config.data;
  return (
    <>
      {ingest !== null && <IngestAddressFields ingest={ingest} />}
      {mayBook && (
        <div className="manual-key">
          <Button busy={newKey.isPending} data-testid="ingest-new-key" onClick={() => void renew()}>
            {t('key.renew')}
          </Button>
          <p>{t('key.hint')}</p>
        </div>
      )}
      <details className="manual-help">
        <summary>{t('help.title')}</summary>
        <ol>
          <li>{t('help.open')}</li>
          <li>{t('help.service')}</li>
          <li>{t('help.fill')}</li>
          <li>{t('help.output')}</li>
          <li>{t('help.start')}</li>
        </ol>
        <p>{t('help.whip')}</p>
      </details>
    </>
  );
}
