/** The operators' command of the sums of sales. */
import { type CommandLine, rebuildCommand } from '../../../house/commands.ts';
import { rebuildSales } from './fold-sales.ts';

export function salesCommands(line: CommandLine<unknown>): void {
  rebuildCommand(
    line,
    line.group('sales-sums', 'the sums of the sales credited to members'),
    'sum up all sales anew, where they are summed up; purchases go on meanwhile',
    'purchases',
    rebuildSales,
  );
}
