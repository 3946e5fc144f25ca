import type { IngestAddresses } from '@rmeet/contract';
import { CopiedAddress } from './CopiedAddress.tsx';
import { useT } from './texts.ts';

/** Where an encoder sends the stream of a broadcast, by RTMP or WHIP. */
export function IngestAddressFields({ ingest: { rtmp, whip } }: { ingest: IngestAddresses }) {
  const t = useT();
  return (
    <>
      {rtmp !== null && (
        <section className="live-addresses" aria-label={t('ingest.rtmp')}>
          <h3>{t('ingest.rtmp')}</h3>
          <CopiedAddress label={t('ingest.server')} address={rtmp.server} testId="ingest-server" />
          <CopiedAddress
            label={t('ingest.key')}
            hint={t('ingest.keyHint')}
            address={rtmp.key}
            isSecret
            testId="ingest-key"
          />
        </section>
      )}
      <section className="live-addresses" aria-label={t('ingest.whip')}>
        <h3>{t('ingest.whip')}</h3>
        <CopiedAddress label={t('ingest.address')} address={whip.address} testId="ingest-whip" />
        <CopiedAddress label={t('ingest.token')} address={whip.token} isSecret testId="ingest-token" />
      </section>
    </>
  );
}
