import { useEffect, useState } from 'react';
import type { Call, LocalMedia } from '../../../call/index.ts';
import { useStorePart } from '../shared/use-store.ts';
import { useT } from '../texts.ts';
import { connectionOf, type Flow } from './statistics.ts';

/** How the own connection is, in words and figures. */
export function StatisticsTab({ call, local }: { call: Call; local: LocalMedia }) {
  const t = useT();
  const report = useStorePart(call.statistics, (state) => state.report);
  const cost = useBackgroundCost(local);
  if (report === null) return <p role="status">{t('self.statistics.waiting')}</p>;
  const { verdict, roundTrip, lossUp, lossDown, sent, received, limitedBy } = connectionOf(report);
  const percent = (value: number | null) => (value === null ? '–' : t('self.statistics.percent', { percent: value }));
  const flow = ({ rate, picture }: Flow) =>
    picture === null ? t('self.statistics.sound', { rate }) : t('self.statistics.picture', { ...picture, rate });
  const rows = {
    roundTrip: roundTrip === null ? '–' : t('self.statistics.ms', { ms: roundTrip }),
    lossUp: percent(lossUp),
    lossDown: percent(lossDown),
    sent: flow(sent),
    received: flow(received),
    ...(cost === null ? {} : { background: t('self.statistics.cost', { ms: cost }) }),
  };
  return (
    <>
      <p className="settings-verdict" data-testid="connection-verdict" data-verdict={verdict}>
        {t(`self.statistics.${verdict}`)}
      </p>
      {limitedBy !== null && <p className="settings-note">{t(`self.statistics.limited.${limitedBy}`)}</p>}
      <dl className="settings-figures">
        {Object.entries(rows).map(([name, text]) => (
          <div key={name} data-testid={`figure-${name}`}>
            <dt>{t(`self.statistics.${name as keyof typeof rows}`)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Whole milliseconds for each frame, looked up every second; null without an effect. */
function useBackgroundCost(local: LocalMedia): number | null {
  const read = () => {
    const cost = local.backgroundCost();
    return cost === null ? null : Math.round(cost);
  };
  const [cost, setCost] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setCost(read()), 1_000);
    return () => clearInterval(timer);
  });
  return cost;
}
