"""Types that `npm run judge -- renew` makes from the OpenAPI document."""
