/** The operators' command of the rollups. */
import { type CommandLine, rebuildCommand } from '../../house/commands.ts';
import { rebuildCommissions } from './fold-commissions.ts';

export function membersCommands(line: CommandLine<unknown>): void {
  rebuildCommand(
    line,
    line.group('rollups', 'the rollups of the member summaries'),
    'sum up all commission lines anew; purchases go on meanwhile',
    'lines',
    rebuildCommissions,
  );
}
