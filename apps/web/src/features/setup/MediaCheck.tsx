import type { contract, Data } from '@rmeet/contract';
import { sentenceOf } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { isLoopback } from './answers.ts';
import { useMediaCheck } from './checks.ts';
import { Outcome } from './Outcome.tsx';
import { rangesOf, type Reached } from './trials.ts';

type Media = Data<typeof contract.setup.checks>['media'];

/** The ports that must be open, and whether this browser reaches them. */
export function MediaCheck({ media: { ports, isFixed, livekit } }: { media: Media }) {
  const t = useTexts('setup');
  const check = useMediaCheck();
  const tcp = location.port || (location.protocol === 'https:' ? '443' : '80');
  const udp = rangesOf(ports).join(', ');
  return (
    <>
      <p>{livekit === null ? t('media.ports', { tcp, udp }) : t('media.livekit', { tcp, url: livekit })}</p>
      {livekit === null && !isFixed && <p className="setup-hint">{t('media.notFixed')}</p>}
      <div>
        <Button busy={check.isPending} onClick={() => check.mutate()} data-testid="setup-media">
          {t(check.isPending ? 'media.checking' : check.isIdle ? 'media.check' : 'media.again')}
        </Button>
      </div>
      <div role="status" className="setup-outcomes" data-testid="setup-media-result">
        {check.data?.map((reached) => (
          <Ended key={reached.end} reached={reached} />
        ))}
        {check.isError && <Outcome isGood={false}>{sentenceOf(check.error) ?? t('unreachable')}</Outcome>}
        {check.isSuccess && isLoopback(location.origin) && <p className="setup-hint">{t('media.loopback')}</p>}
      </div>
    </>
  );
}

function Ended({ reached: { end, places, ms } }: { reached: Reached }) {
  const t = useTexts('setup');
  const time = ms === null ? '' : t('media.ms', { ms: ms.least === ms.most ? ms.most : `${ms.least}–${ms.most}` });
  return (
    <Outcome isGood={end !== 'media' && end !== 'signalling'}>
      {t(`media.end.${end}`, { ports: places.join(', '), time })}
    </Outcome>
  );
}
