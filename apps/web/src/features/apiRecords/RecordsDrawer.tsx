import type { ApiClient } from '@rmeet/contract';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Segments } from '../../ui/Segments.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { Calls } from './Calls.tsx';
import { Grants } from './Grants.tsx';
import { Trail } from './Trail.tsx';

const VIEWS = ['calls', 'trail', 'grants'] as const;
type View = (typeof VIEWS)[number];

interface RecordsDrawerProps {
  client: ApiClient;
  open: boolean;
  onClose: () => void;
}

/** What a client called, what changed, and for whom it may act. */
export function RecordsDrawer({ client, open, onClose }: RecordsDrawerProps) {
  const t = useTexts('apiRecords');
  const [view, setView] = useState<View>('calls');
  return (
    <SideDrawer title={t('records.title', { name: client.name })} open={open} onClose={onClose} testId="api-records">
      {/* Where nothing inside can take the focus, the container does, to be scrollable by keyboard. */}
      <div className="api-records" tabIndex={0} role="region" aria-label={t('records.title', { name: client.name })}>
        <dl className="api-facts">
          <div>
            <dt>{t('secret.id')}</dt>
            <dd>
              <code>{client.id}</code>
            </dd>
          </div>
        </dl>
        <Segments
          label={t('records.views')}
          values={VIEWS.filter((one) => one !== 'grants' || client.actsForUsers)}
          chosen={view}
          textOf={(one) => t(`records.${one}`)}
          onChoose={setView}
          testId="records"
        />
        {view === 'calls' && <Calls id={client.id} />}
        {view === 'trail' && <Trail id={client.id} />}
        {view === 'grants' && <Grants client={client} />}
      </div>
    </SideDrawer>
  );
}
