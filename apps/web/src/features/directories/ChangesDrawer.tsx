import {
  DIRECTORY_CHANGES,
  type DirectoryChange,
  type DirectoryChangeKind,
  type DirectoryRound,
} from '@rmeet/contract';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { Button } from '../../ui/Button.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { CHANGES_SIZE, useChanges, useDirectoryActions } from './queries.ts';

interface ChangesDrawerProps {
  round: DirectoryRound;
  open: boolean;
  onClose: () => void;
}

/** What a round changed, or a dry run would change. */
export function ChangesDrawer({ round, open, onClose }: ChangesDrawerProps) {
  const t = useTexts('directories');
  const kinds = DIRECTORY_CHANGES.filter((kind) => round.counts[kind] > 0);
  const [kind, setKind] = useState<DirectoryChangeKind | undefined>(kinds[0]);
  const [current, setCurrent] = useState(1);
  const list = useChanges(round, kind, current);
  const content = () => {
    if (!list.data) return list.isPending ? <Loading /> : <ErrorState retry={() => void list.refetch()} />;
    if (list.data.records.length === 0) return <EmptyState picture="list" title={t('count.nothing')} />;
    return (
      <>
        <ul className="directory-changes">
          {list.data.records.map((change) => (
            <ChangeItem key={change.id} change={change} round={round} />
          ))}
        </ul>
        <Pager
          current={current}
          size={CHANGES_SIZE}
          sizes={[CHANGES_SIZE]}
          total={list.data.total}
          totalText={t('count.people', { count: list.data.total })}
          onChange={(change) => 'current' in change && setCurrent(change.current)}
        />
      </>
    );
  };
  return (
    <SideDrawer
      title={t(round.dryRun ? 'changes.titleDryRun' : 'changes.title')}
      open={open}
      onClose={onClose}
      testId="changes-drawer"
    >
      {kinds.length > 0 && (
        <Segments
          label={t('changes.kind')}
          values={kinds}
          chosen={kind ?? 'created'}
          textOf={(value) => t(`count.${value}`, { count: round.counts[value] })}
          testId="changes-kind"
          onChoose={(value) => {
            setKind(value);
            setCurrent(1);
          }}
        />
      )}
      {content()}
    </SideDrawer>
  );
}

function ChangeItem({ change, round }: { change: DirectoryChange; round: DirectoryRound }) {
  const t = useTexts('directories');
  const admin = useTexts('admin');
  const { link } = useDirectoryActions();
  const { id, account, name, dn, reason, fields, canLink } = change;
  const confirm = async () => {
    const sure = await ask({
      title: t('link.title'),
      text: t('link.text', { account, dn }),
      okText: t('link.action'),
      cancelText: admin('action.cancel'),
    });
    if (!sure) return;
    link.mutate(
      { id: round.directoryId, changeIds: [id] },
      { onSuccess: () => toast('success', () => t('link.done', { account })) },
    );
  };
  return (
    <li data-testid="directory-change">
      <strong>{name === account ? name : `${name} (${account})`}</strong>
      <span className="directory-detail">{dn}</span>
      {reason !== null && <span className="directory-problem">{t(`reason.${reason}`)}</span>}
      {Object.entries(fields).map(([field, [before, after]]) => (
        <span key={field}>
          {t('changes.field', {
            field: t(`field.${field as 'account' | 'name' | 'email' | 'phone' | 'department'}`),
            before: before || t('changes.none'),
            after: after || t('changes.none'),
          })}
        </span>
      ))}
      {canLink && (
        <Button data-testid="change-link" busy={link.isPending} onClick={() => void confirm()}>
          {t('link.action')}
        </Button>
      )}
    </li>
  );
}
