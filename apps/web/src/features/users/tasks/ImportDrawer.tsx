import { FIRST_ACCESS, type UserTask } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { download } from '../../../lib/download.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ChooseFile, FileInput } from '../../../ui/import/ChooseFile.tsx';
import { ImportProgress } from '../../../ui/import/ImportProgress.tsx';
import { ImportSteps } from '../../../ui/import/ImportSteps.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { templatePath, useInvitationMail, useTakePasswords, useTask, useTasks } from './queries.ts';
import { TaskReport } from './TaskReport.tsx';
import { useImport, type ImportStep } from './useImport.ts';

const STEPS = ['choose', 'checked', 'done'] as const;
type FirstAccess = (typeof FIRST_ACCESS)[number];

function placeOf(step: ImportStep): (typeof STEPS)[number] {
  if (step.at === 'choose') return 'choose';
  return step.task.state === 'checked' ? 'checked' : 'done';
}

interface ImportDrawerProps {
  tenant: string;
  open: boolean;
  onClose: () => void;
}

/** Imports users from an Excel workbook or CSV: choose a file, look at what it would do, do it. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of the three steps
export function ImportDrawer({ tenant, open, onClose }: ImportDrawerProps) {
  const t = useTexts('users');
  const input = useRef<HTMLInputElement>(null);
  const work = useImport(tenant);
  const { step, checking, isAsking } = work;
  const mail = useInvitationMail(open);
  const [wanted, setWanted] = useState<FirstAccess>('invitation');
  const firstAccess = mail?.lacks === null ? wanted : 'password';
  const chooseAgain = () => input.current?.click();
  const footer = (
    <Footer
      step={step}
      isChecking={checking !== null}
      isAsking={isAsking}
      onLeave={checking === null ? onClose : work.stopChecking}
      onChoose={chooseAgain}
      onStart={(name, task) => work.start(name, task, firstAccess)}
      onStop={work.stop}
    />
  );

  return (
    <SideDrawer title={t('import.title')} open={open} onClose={onClose} testId="import-drawer" footer={footer}>
      <div className="import">
        <ImportSteps steps={STEPS.map((one) => t(`import.step.${one}`))} current={t(`import.step.${placeOf(step)}`)} />
        <FileInput
          ref={input}
          accept=".xlsx,.csv"
          label={t('import.choose')}
          onChoose={(file) => void work.choose(file)}
        />
        {step.at === 'choose' && (
          <ChooseFile
            texts={{
              hint: t('import.hint'),
              choose: t('import.choose'),
              drop: t('import.drop'),
              templateHint: t('import.templateHint'),
            }}
            fault={step.fault}
            isBusy={checking !== null}
            onChoose={chooseAgain}
            onDrop={(file) => void work.choose(file)}
            template={<Templates />}
          />
        )}
        {step.at === 'choose' && checking === null && <FormerTasks tenant={tenant} onOpen={work.show} />}
        {step.at === 'task' && step.task.state === 'checked' && step.task.counts.toCreate > 0 && (
          <FirstAccessChoice task={step.task} lacks={mail?.lacks ?? null} value={firstAccess} onChange={setWanted} />
        )}
        {step.at === 'task' && (
          <ImportTask
            key={`${step.task.id}:${step.task.state}`}
            tenant={tenant}
            name={step.name}
            known={step.task}
            onEnd={(task) => work.show(step.name, task)}
          />
        )}
        <ImportProgress text={checking === null ? null : t('import.checking', { name: checking })} />
      </div>
    </SideDrawer>
  );
}

interface FooterProps {
  step: ImportStep;
  isChecking: boolean;
  isAsking: boolean;
  onLeave: () => void;
  onChoose: () => void;
  onStart: (name: string, task: UserTask) => void;
  onStop: (name: string, task: UserTask) => void;
}

function Footer({ step, isChecking, isAsking, onLeave, onChoose, onStart, onStop }: FooterProps) {
  const t = useTexts('users');
  const common = useTexts('common');
  if (isChecking || step.at === 'choose')
    return (
      <Button data-testid="import-cancel" onClick={onLeave}>
        {common('cancel')}
      </Button>
    );
  const { name, task } = step;
  const toDo = task.counts.toCreate + task.counts.toChange;
  if (task.state === 'running')
    return (
      <Button busy={isAsking} data-testid="import-stop" onClick={() => onStop(name, task)}>
        {t('task.stop')}
      </Button>
    );
  if (task.state !== 'checked')
    return (
      <Button kind="primary" data-testid="import-close" onClick={onLeave}>
        {common('ok')}
      </Button>
    );
  return (
    <>
      <Button data-testid="import-cancel" onClick={onLeave}>
        {common('cancel')}
      </Button>
      <Button kind={toDo > 0 ? 'plain' : 'primary'} data-testid="import-choose" onClick={onChoose}>
        {t('import.chooseAnother')}
      </Button>
      {toDo > 0 && (
        <Button kind="primary" busy={isAsking} data-testid="import-store" onClick={() => onStart(name, task)}>
          {t('import.store', { count: toDo })}
        </Button>
      )}
    </>
  );
}

/** The caller's last tasks, with what was done. */
function FormerTasks({ tenant, onOpen }: { tenant: string; onOpen: (name: string, task: UserTask) => void }) {
  const t = useTexts('users');
  const tasks = useTasks(tenant);
  const nameOf = ({ name, change }: UserTask): string => (change ? t(`change.title.${change.kind}`) : name);
  if (!tasks || tasks.length === 0) return null;
  return (
    <section className="import-former" aria-label={t('task.former')}>
      <strong>{t('task.former')}</strong>
      <ul>
        {tasks.map((task) => (
          <li key={task.id}>
            <Button kind="quiet" data-testid="task-former" onClick={() => onOpen(nameOf(task), task)}>
              {nameOf(task) || t('import.title')}
            </Button>
            <span>{t(`task.is.${task.state}`)}</span>
            <span>{formatTime(task.createdAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Templates() {
  const t = useTexts('users');
  const template = useMutation({ mutationFn: (format: 'xlsx' | 'csv') => download(templatePath(format)) });
  return (['xlsx', 'csv'] as const).map((format) => (
    <Button
      key={format}
      busy={template.isPending && template.variables === format}
      data-testid={`import-template-${format}`}
      onClick={() => template.mutate(format)}
    >
      <Icon name="download" />
      {t(`import.template.${format}`)}
    </Button>
  ));
}

interface FirstAccessChoiceProps {
  task: UserTask;
  lacks: 'mailServer' | 'address' | null;
  value: FirstAccess;
  onChange: (value: FirstAccess) => void;
}

/** How the new people get in. */
function FirstAccessChoice({ task, lacks, value, onChange }: FirstAccessChoiceProps) {
  const t = useTexts('users');
  return (
    <section className="import-access" aria-label={t('access.label')}>
      <strong>{t('access.label')}</strong>
      {lacks === null ? (
        <Segments
          label={t('access.label')}
          values={FIRST_ACCESS}
          chosen={value}
          textOf={(one) => t(`access.${one}`)}
          onChoose={onChange}
          testId="access"
        />
      ) : (
        <p data-testid="access-lacks">{t(`access.lacks.${lacks}`)}</p>
      )}
      <p className="import-more">
        {t(value === 'invitation' ? 'access.invitationHint' : 'access.passwordHint')}
        {value === 'invitation' && task.withoutMail > 0 && ` ${t('access.withoutMail', { count: task.withoutMail })}`}
      </p>
    </section>
  );
}

interface ImportTaskProps {
  tenant: string;
  name: string;
  known: UserTask;
  onEnd: (task: UserTask) => void;
}

function ImportTask({ tenant, name, known, onEnd }: ImportTaskProps) {
  const t = useTexts('users');
  const task = useTask(tenant, known, onEnd);
  const passwords = useTakePasswords(tenant);
  const { counts, total, state } = task;
  const open = counts.toCreate + counts.toChange;
  const isImport = task.kind === 'import';
  if (state === 'running')
    return (
      <ImportProgress
        text={t('import.running', { name, done: total - open, total })}
        done={{ value: total - open, max: total }}
      />
    );
  const verdict = () => {
    if (state === 'cancelled') return t('import.verdict.cancelled', { count: open });
    if (state === 'done') {
      if (counts.failed > 0) return t(isImport ? 'import.verdict.failed' : 'change.failed', { count: counts.failed });
      return isImport ? t('import.verdict.done') : t('change.done', { count: counts.changed });
    }
    if (counts.wrong > 0) return t('import.verdict.wrong', { count: counts.wrong });
    return t(open > 0 ? 'import.verdict.fine' : 'import.verdict.nothing');
  };
  return (
    <>
      {task.passwords > 0 && !passwords.isSuccess && (
        <section className="import-access">
          <p>{t('access.take', { count: task.passwords })}</p>
          <Button
            kind="primary"
            busy={passwords.isPending}
            data-testid="import-passwords"
            onClick={() => passwords.mutate(task.id)}
          >
            <Icon name="download" />
            {t('access.download')}
          </Button>
        </section>
      )}
      <TaskReport tenant={tenant} task={task} verdict={verdict()} note={name} />
    </>
  );
}
