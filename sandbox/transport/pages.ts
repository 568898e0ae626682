// The stand-in's own pages: what it is, for whoever opens it in a browser.

/** The root page. */
export const ROOT_PAGE = `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<title>Signalbox: transport stand-in</title>
<h1>A stand-in for the public-transport data service</h1>
<p>It answers in the shapes of that service, for every station of Great Britain. Its trains are invented:
do not go by them, and do not wait for them.</p>
<p>Boards are under <code>/v3/uk/train/station/YRK/live.json</code> and
<code>/v3/uk/train/station_timetables/crs:YRK.json?live=true</code>, with the sandbox's credentials.</p>
<p>Journeys are under <code>/v3/uk/public_journey.json?from=crs:YRK&amp;to=postcode:SW1A+1AA</code>, places under
<code>/v3/uk/places.json?query=waterloo</code>, buses under <code>/v3/uk/bus/stop/3290YYA01094/live.json</code>, what
disturbs them under <code>/v3/uk/bus/situations.json</code>, and the state of it all under <code>/v3/uk/status.json</code>.</p>
</html>
`;

/** What a path without `.json` gets, as at the real service. */
export const HTML_ANSWER = `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<title>API</title>
<h1>Add .json to the path for data</h1>
</html>
`;
