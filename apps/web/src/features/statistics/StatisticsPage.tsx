import type { StatisticsAnswer } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { system } from '../../lib/browser.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useListState } from '../../lib/listState.ts';
import { saveTextFile } from '../../lib/textFile.ts';
import { formatTime } from '../../lib/time.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { ExportButton } from '../../ui/admin/ExportButton.tsx';
import { TenantPicker } from '../../ui/admin/TenantPicker.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Permitted } from '../../ui/Permitted.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { Breakdown } from './Breakdown.tsx';
import { Filters } from './Filters.tsx';
import { GROUP_NAMES } from './groups.ts';
import { MeetingsBehind } from './MeetingsBehind.tsx';
import { filePaths, useFigures } from './queries.ts';
import { SeriesPanel } from './SeriesPanel.tsx';
import { SHAPE, type StatisticsState } from './state.ts';
import { Tiles } from './Tiles.tsx';
import './statistics.css';
import './texts.ts';

const SettingsDrawer = lazy(() =>
  loadChunk(async () => ({ default: (await import('./SettingsDrawer.tsx')).SettingsDrawer })),
);
const DiagnosticsDrawer = lazy(() =>
  loadChunk(async () => ({ default: (await import('./DiagnosticsDrawer.tsx')).DiagnosticsDrawer })),
);

/** What happened in meetings over time. All its state is in the URL. */
export function StatisticsPage() {
  const t = useTexts('statistics');
  const [state, setState] = useListState(SHAPE);
  const figures = useFigures(state);
  return (
    <AdminPage title={t('title')} actions={<Actions state={state} onState={setState} />}>
      <Filters state={state} onState={setState} />
      <Segments
        className="statistics-groups"
        label={t('groups')}
        values={GROUP_NAMES}
        chosen={state.group}
        textOf={(group) => t(`group.${group}`)}
        onChoose={(group) => setState({ group, measure: '', by: '' })}
        testId="statistics-group"
      />
      {figures.isError && !figures.data ? (
        <ErrorState retry={() => void figures.refetch()} />
      ) : figures.data === undefined ? (
        <Loading />
      ) : (
        <div className="statistics" data-stale={figures.isPlaceholderData}>
          <Tiles state={state} onState={setState} answer={figures.data} />
          <Notes answer={figures.data} />
          <SeriesPanel state={state} onState={setState} answer={figures.data} />
          <Breakdown state={state} onState={setState} />
          <MeetingsBehind state={state} onState={setState} />
        </div>
      )}
    </AdminPage>
  );
}

/** Since when the figures are as they are, in which zone days begin, and with what they are compared. */
function Notes({ answer: { countedAt, timeZone, before, isRunning } }: { answer: StatisticsAnswer }) {
  const t = useTexts('statistics');
  const notes = [
    countedAt === null ? t('notCounted') : t('countedAt', { at: formatTime(countedAt) }),
    timeZone === null ? t('ownZones') : t('inZone', { zone: timeZone }),
    t('comparedWith', before),
    ...(isRunning ? [t('running')] : []),
  ];
  return (
    <p className="statistics-note" data-testid="statistics-notes">
      {notes.join(' · ')}
    </p>
  );
}

interface ActionsProps {
  state: StatisticsState;
  onState: (change: Partial<StatisticsState>) => void;
}

/** Which tenant, the files, and the drawers. */
function Actions({ state, onState }: ActionsProps) {
  const t = useTexts('statistics');
  const settings = useDrawer<null>();
  const diagnostics = useDrawer<null>();
  const paths = filePaths(state);
  const text = useMutation({ mutationFn: () => saveTextFile(paths.text) });
  return (
    <>
      {system === 'admin' && (
        <TenantPicker value={state.tenant} onChange={(tenant) => onState({ tenant })} allText={t('allTenants')} />
      )}
      <ExportButton path={paths.workbook} label={t('files.workbook')} testId="statistics-workbook" />
      <ExportButton path={paths.report} label={t('files.report')} testId="statistics-report" />
      <Button busy={text.isPending} data-testid="statistics-text" onClick={() => text.mutate()}>
        <Icon name="download" />
        {t('files.text')}
      </Button>
      <Permitted code="statistics:manage">
        <Button data-testid="statistics-settings" onClick={() => settings.show(null)}>
          <Icon name="settings" />
          {t('settings.title')}
        </Button>
      </Permitted>
      <Permitted code="diagnostics:read">
        <Button data-testid="statistics-diagnostics" onClick={() => diagnostics.show(null)}>
          <Icon name="log" />
          {t('diagnostics.title')}
        </Button>
      </Permitted>
      <Suspense fallback={null}>
        {settings.last && (
          <SettingsDrawer
            key={`settings-${settings.last.opening}`}
            tenantId={state.tenant}
            open={settings.open}
            onClose={settings.hide}
          />
        )}
        {diagnostics.last && <DiagnosticsDrawer open={diagnostics.open} onClose={diagnostics.hide} />}
      </Suspense>
    </>
  );
}
