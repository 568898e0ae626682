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
