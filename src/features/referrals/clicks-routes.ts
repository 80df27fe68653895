import { type Route, route } from '../../http/route.ts';
import { type ClickAnswer, recordClick } from './clicks-operations.ts';
import type { Click, ClicksService } from './clicks-service.ts';

export function clicksRoutes(clicks: ClicksService): Route[] {
  return [
    route(
      recordClick,
      ({ body, ...context }) => clicks.recordClick(context, body),
      (click) => ({ status: click.recorded ? 201 : 200, body: clickBody(click) }),
    ),
  ];
}

function clickBody(click: Click): ClickAnswer {
  return {
    click_id: click.clickId,
    link_id: click.linkId,
    referral_code: click.referralCode,
    user_id: click.memberId,
    clicked_at: click.clickedAt,
    customer_external_id: click.customerExternalId,
  };
}
