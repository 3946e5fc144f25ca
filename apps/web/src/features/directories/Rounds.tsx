import type { Directory, DirectoryRound } from '@rmeet/contract';
import { DIRECTORY_CHANGES } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask } from '../../lib/notify.ts';
import { formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { isOpen, useDirectoryActions, useRounds } from './queries.ts';

interface RoundsProps {
  directory: Directory;
  onChanges: (round: DirectoryRound) => void;
}

/** The last synchronisations and dry runs of a directory. */
export function Rounds({ directory, onChanges }: RoundsProps) {
  const t = useTexts('directories');
  const rounds = useRounds(directory.id, `${directory.lastRound?.id} ${directory.lastRound?.state}`);
  const columns = useColumns(onChanges);
  if (!rounds.data) return rounds.isPending ? <Loading /> : <ErrorState retry={() => void rounds.refetch()} />;
  if (rounds.data.records.length === 0) return <p className="directory-none">{t('rounds.none')}</p>;
  return (
    <DataTable
      label={t('rounds.title')}
      columns={columns}
      rows={rounds.data.records}
      rowKey={({ id }) => id}
      rowTestId="directory-round"
    />
  );
}

function useColumns(onChanges: RoundsProps['onChanges']): Column<DirectoryRound>[] {
  const t = useTexts('directories');
  return [
    {
      key: 'time',
      label: t('rounds.time'),
      heading: true,
      width: '22%',
      render: (round) => (
        <>
          {formatTime(round.startedAt)}
          <span className="directory-kind">{t(round.dryRun ? 'rounds.dryRun' : 'rounds.real')}</span>
        </>
      ),
    },
    { key: 'state', label: t('rounds.state'), width: '30%', render: (round) => <State round={round} /> },
    { key: 'counts', label: t('rounds.counts'), render: (round) => <Counts round={round} /> },
    {
      key: 'actions',
      label: t('rounds.actions'),
      unlabelled: true,
      width: '18%',
      render: (round) => <Actions round={round} onChanges={onChanges} />,
    },
  ];
}

function State({ round: { state, problem, detail } }: { round: DirectoryRound }) {
  const t = useTexts('directories');
  return (
    <span data-testid="round-state">
      <strong className={`directory-state directory-state-${state}`}>{t(`state.${state}`)}</strong>
      {problem !== null && (
        <>
          <span className="directory-problem">{t(`problem.${problem}`)}</span>
          {detail !== '' && <span className="directory-detail">{detail}</span>}
        </>
      )}
    </span>
  );
}

function Counts({ round: { people, counts } }: { round: DirectoryRound }) {
  const t = useTexts('directories');
  const parts = DIRECTORY_CHANGES.filter((kind) => counts[kind] > 0).map((kind) =>
    t(`count.${kind}`, { count: counts[kind] }),
  );
  return (
    <span data-testid="round-counts">
      {t('count.people', { count: people })}
      <span className="directory-kind">
        {parts.length === 0 ? t('count.nothing') : parts.join(t('count.separator'))}
      </span>
    </span>
  );
}

function Actions({ round, onChanges }: { round: DirectoryRound; onChanges: RoundsProps['onChanges'] }) {
  const t = useTexts('directories');
  const admin = useTexts('admin');
  const { start, cancel } = useDirectoryActions();
  const force = async () => {
    const sure = await ask({
      title: t('force.title'),
      text: t('force.text', { detail: round.detail }),
      okText: t('force.action'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (sure) start.mutate({ id: round.directoryId, dryRun: false, force: true });
  };
  if (isOpen(round))
    return (
      <Button busy={cancel.isPending} data-testid="round-cancel" onClick={() => cancel.mutate(round)}>
        {admin('action.cancel')}
      </Button>
    );
  const total = DIRECTORY_CHANGES.reduce((sum, kind) => sum + round.counts[kind], 0);
  return (
    <span className="directory-buttons">
      {total > 0 && (
        <Button data-testid="round-changes" onClick={() => onChanges(round)}>
          {t('rounds.changes')}
        </Button>
      )}
      {round.state === 'stopped' && (
        <Button kind="danger" data-testid="round-force" onClick={() => void force()}>
          {t('force.action')}
        </Button>
      )}
    </span>
  );
}
