/** The operators' command of the member tree. */
import { type CommandLine, rebuildCommand } from '../../house/commands.ts';
import { rebuildDownline } from './fold-downline.ts';

export function genealogyCommands(line: CommandLine<unknown>): void {
  rebuildCommand(
    line,
    line.group('tree', 'the member tree'),
    'count all downlines anew from the sponsors; members may join meanwhile, moves of sponsors are refused for its time',
    'members',
    rebuildDownline,
  );
}
