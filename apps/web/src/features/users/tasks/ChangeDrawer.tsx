import { localName, type AccountChange, type UserTask } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { useRoleOptions } from '../../../ui/admin/RolePicker.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ImportProgress } from '../../../ui/import/ImportProgress.tsx';
import { Select } from '../../../ui/Select.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { DepartmentField } from '../DepartmentField.tsx';
import { taskCalls, useTask, type ChangeTarget } from './queries.ts';
import { TaskReport } from './TaskReport.tsx';

export type ChangeKind = AccountChange['kind'];

/** A change of many accounts that is about to be made. */
export interface WantedChange {
  kind: ChangeKind;
  target: ChangeTarget;
  /** How many accounts it applies to, as text. */
  count: string;
}

interface ChangeDrawerProps {
  tenant: string;
  wanted: WantedChange;
  open: boolean;
  onClose: () => void;
  /** It has been started. */
  onStarted: () => void;
}

const DANGEROUS: ReadonlySet<ChangeKind> = new Set(['disable', 'remove']);

/** Confirms a change of many accounts, with what it needs to know, and shows its progress and what failed. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of a form and its result
export function ChangeDrawer({ tenant, wanted: { kind, target, count }, open, onClose, onStarted }: ChangeDrawerProps) {
  const t = useTexts('users');
  const common = useTexts('common');
  const [department, setDepartment] = useState('');
  const [roleId, setRoleId] = useState('');
  const [fault, setFault] = useState('');
  const [task, setTask] = useState<UserTask | null>(null);
  const calls = taskCalls(tenant);
  const starting = useMutation({
    meta: { quiet: true },
    mutationFn: (change: AccountChange) => calls.change(target, change),
    onSuccess: (started) => {
      setTask(started);
      onStarted();
      if (started.state === 'done') end(started);
    },
  });
  const stopping = useMutation({ mutationFn: (id: string) => calls.cancel(id), onSuccess: setTask });

  const end = (ended: UserTask) => {
    setTask(ended);
    if (ended.counts.failed > 0 || ended.state === 'cancelled') return;
    toast('success', () => t('change.done', { count: ended.counts.changed }));
    onClose();
  };

  const start = () => {
    if (kind === 'addRole' || kind === 'removeRole') {
      if (roleId === '') return setFault(t('change.chooseRole'));
      starting.mutate({ kind, roleId });
    } else if (kind === 'move') starting.mutate({ kind, department });
    else starting.mutate({ kind });
  };

  const footer =
    task === null ? (
      <>
        <Button data-testid="change-cancel" onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button
          kind={DANGEROUS.has(kind) ? 'danger' : 'primary'}
          busy={starting.isPending}
          data-testid="change-start"
          onClick={start}
        >
          {t(`change.submit.${kind}`)}
        </Button>
      </>
    ) : task.state === 'running' ? (
      <Button busy={stopping.isPending} data-testid="change-stop" onClick={() => stopping.mutate(task.id)}>
        {t('task.stop')}
      </Button>
    ) : (
      <Button kind="primary" data-testid="change-close" onClick={onClose}>
        {common('ok')}
      </Button>
    );

  return (
    <SideDrawer title={t(`change.title.${kind}`)} open={open} onClose={onClose} testId="change-drawer" footer={footer}>
      <div className="import">
        {task === null ? (
          <>
            <p data-testid="change-text">{t(`change.text.${kind}`, { count })}</p>
            {kind === 'move' && <DepartmentField tenant={tenant} value={department} onChange={setDepartment} />}
            {(kind === 'addRole' || kind === 'removeRole') && (
              <RoleSelect
                value={roleId}
                onChange={(id) => {
                  setRoleId(id);
                  setFault('');
                }}
              />
            )}
            {(fault !== '' || starting.isError) && (
              <p className="import-fault" role="alert" data-testid="change-fault">
                {fault === '' ? (sentenceOf(starting.error) ?? t('change.unsent')) : fault}
              </p>
            )}
          </>
        ) : (
          <ChangeTask key={task.state} tenant={tenant} known={task} onEnd={end} />
        )}
      </div>
    </SideDrawer>
  );
}

function RoleSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const admin = useTexts('admin');
  const language = useLanguage();
  const roles = useRoleOptions('user');
  return (
    <Select
      label={admin('roles.label')}
      value={value}
      options={[
        { value: '', label: admin('roles.placeholder') },
        ...(roles.data ?? []).map((role) => ({ value: role.id, label: localName(role, language) })),
      ]}
      onChange={onChange}
      data-testid="change-role"
    />
  );
}

function ChangeTask({ tenant, known, onEnd }: { tenant: string; known: UserTask; onEnd: (task: UserTask) => void }) {
  const t = useTexts('users');
  const task = useTask(tenant, known, onEnd);
  const { counts, total, state } = task;
  const open = counts.toChange;
  if (state === 'running')
    return (
      <ImportProgress
        text={t('change.running', { done: total - open, total })}
        done={{ value: total - open, max: total }}
      />
    );
  const verdict = () => {
    if (state === 'cancelled') return t('import.verdict.cancelled', { count: open });
    return counts.failed > 0
      ? t('change.failed', { count: counts.failed })
      : t('change.done', { count: counts.changed });
  };
  return <TaskReport tenant={tenant} task={task} verdict={verdict()} />;
}
